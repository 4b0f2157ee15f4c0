import { engine } from '../engine/client.js';
import { fixed, noBreak, scientific } from '../plots/format.js';
import { moveOf } from '../plots/keys.js';
import { oncePerFrame } from '../plots/screen.js';
import { onPreferencesChange } from '../preferences.js';
import type { HeroData } from './hero-data.js';
import { HERO_START, type HeroLayout, drawHero, heroLayout, heroPosition } from './hero-view.js';
import { plainHero } from './plain-hero.js';
import { texts } from '../texts/index.js';
import './hero.css';

const APART = 3;
const SHIFT = 1_000_000;
/**
 * Each number of a row is within 0.51 units in the last place, so a dot product over d / 2 is off by at most
 * 2 · 0.51 · 2⁻²³, and the difference of two by twice that.
 */
const TOLERANCE = 4 * 0.51 * 2 ** -23;

/** Takes over the first figure: the engine's numbers, and a handle that can be dragged and moved by keys. */
export function startHero(): void {
  const strip = document.getElementById('hero-strip')!;
  const canvas = document.getElementById('hero-canvas') as HTMLCanvasElement;
  const caption = document.getElementById('hero-caption')!;
  const badge = document.getElementById('hero-badge')!;
  const residual = document.getElementById('hero-residual')!;
  let wanted = HERO_START;
  let layout: HeroLayout = heroLayout(canvas.clientWidth);
  let data: HeroData = plainHero(layout.count);
  let alike: { here: number; there: number } | undefined;

  const position = (): number => heroPosition(wanted, layout);

  const frame = oncePerFrame(() => {
    caption.innerHTML = texts().hero.caption(String(position()));
    strip.setAttribute('aria-valuemax', String(heroPosition(Infinity, layout)));
    strip.setAttribute('aria-valuenow', String(position()));
    showBadge();
    if (data.kernel.length === layout.count) drawHero(canvas, layout, data, position(), texts().hero);
  });

  const showWords = (): void => {
    const text = texts().hero;
    document.title = text.documentTitle;
    strip.setAttribute('aria-label', text.handle);
  };

  const showBadge = (): void => {
    const text = texts().hero;
    if (engine.state.kind === 'unavailable') {
      badge.className = 'badge not-applicable';
      badge.innerHTML = text.refused;
    } else if (!alike) {
      badge.className = 'badge computing';
      badge.innerHTML = text.checking;
    } else {
      const difference = Math.abs(alike.here - alike.there);
      const holds = difference <= TOLERANCE;
      badge.className = `badge ${holds ? 'holds' : 'fails'}`;
      badge.innerHTML = text.badge(fixed(alike.here, 4), fixed(alike.there, 4));
      residual.textContent = text.residual(
        noBreak(`${scientific(difference)} ${holds ? '≤' : '>'} ${scientific(TOLERANCE)}`),
      );
    }
  };

  const askStrip = (): void => {
    engine.ask(
      'heroStrip',
      { count: layout.count },
      { answered: (result) => ((data = result), frame.request()), failed },
    );
  };
  const askBadge = (): void => {
    const request = { position: position(), apart: APART, shift: SHIFT };
    engine.ask('heroBadge', request, { answered: (result) => ((alike = result), frame.request()), failed });
  };
  const failed = (error: { message: string }): void => {
    badge.className = 'badge not-applicable';
    badge.textContent = error.message;
  };

  const moveTo = (m: number): void => {
    const before = position();
    wanted = heroPosition(m, layout);
    if (wanted === before) return;
    askBadge();
    frame.request();
  };

  const drag = (event: PointerEvent): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    const x = event.clientX - canvas.getBoundingClientRect().left;
    moveTo(Math.floor((x * devicePixelRatio) / layout.cellWidth));
  };
  strip.addEventListener('pointerdown', (event) => {
    strip.setPointerCapture(event.pointerId);
    drag(event);
  });
  strip.addEventListener('pointermove', drag);
  strip.addEventListener('keydown', (event) => {
    const move = moveOf(event);
    if (!move) return;
    event.preventDefault();
    moveTo(position() + move.right - move.down);
  });

  new ResizeObserver(() => {
    layout = heroLayout(canvas.clientWidth);
    if (layout.count === 0) return;
    if (engine.state.kind !== 'ready') data = plainHero(layout.count);
    askStrip();
    askBadge();
    frame.request();
  }).observe(strip);
  showWords();
  onPreferencesChange(() => {
    showWords();
    frame.request();
  });
  engine.addEventListener('state', frame.request);
}
