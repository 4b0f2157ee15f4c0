// Runs inline, before any other file has arrived: the first figure drawn from plain float64 arithmetic. The engine's
// numbers take over later and round to the same colours.
import { language } from '../preferences.js';
import { hero as en } from './en.js';
import { plainHero } from './plain-hero.js';
import { HERO_START, drawHero, heroLayout, heroPosition } from './hero-view.js';
import { hero as zhHans } from './zh-hans.js';
import { hero as zhHant } from './zh-hant.js';

const text = { en, 'zh-Hans': zhHans, 'zh-Hant': zhHant }[language()];
document.title = text.documentTitle;
const canvas = document.getElementById('hero-canvas') as HTMLCanvasElement;
const layout = heroLayout(canvas.clientWidth);
if (layout.count > 0) {
  const position = heroPosition(HERO_START, layout);
  drawHero(canvas, layout, plainHero(layout.count), position, text);
  document.getElementById('hero-caption')!.innerHTML = text.caption(String(position));
  document.getElementById('hero-badge')!.innerHTML = text.checking;
}
