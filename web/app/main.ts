import type { LitElement } from 'lit';
import { engine } from './engine/client.js';
import { figures } from './figures/index.js';
import { ContentsRail } from './frame/contents-rail.js';
import { elements } from './frame/elements.js';
import { EncodingList } from './frame/encoding-list.js';
import { markFarSections } from './frame/far-sections.js';
import { startHero } from './hero/hero.js';
import { CheckModel } from './model/check-model.js';
import { fetchTexts } from './texts/index.js';
import { applyPreferences, language, languages, standIn } from './preferences.js';
import { SpeedHere } from './speed/speed.js';
import { pageState } from './state/page-state.js';

applyPreferences();
engine.start();
void start();

/** Shows the page in its language, or in another one if the texts of that one cannot be had. */
async function start(): Promise<void> {
  for (const one of [language(), ...languages]) {
    if (!(await fetchTexts(one))) continue;
    if (one !== language()) standIn(one);
    return showPage();
  }
}

function showPage(): void {
  startHero();
  customElements.define('check-model', CheckModel);
  customElements.define('speed-here', SpeedHere);
  for (const [tag, part] of Object.entries(elements)) customElements.define(tag, part);

  // Each figure stands in a section that the contents link to by its name.
  const main = document.getElementById('figures')!;
  main.append(
    ...figures.map(({ task, element }, index) => {
      customElements.define(`${task}-figure`, element);
      const section = document.createElement('section');
      section.id = task;
      section.append(Object.assign(new element(), { number: index + 1 }));
      return section;
    }),
  );
  for (const [id, part] of Object.entries({
    check: new CheckModel(),
    speed: new SpeedHere(),
    encodings: new EncodingList(),
  })) {
    const section = document.createElement('section');
    section.id = id;
    section.append(part);
    main.append(section);
  }
  // The browser does not know where to go: a link to a state has no section's name in it, and when it looked for the
  // section of another link, the texts may not have been there yet.
  const show = (task: string, behavior: ScrollBehavior = 'auto'): void =>
    document.getElementById(task)!.scrollIntoView({ behavior });
  pageState.follow(show);
  const named = [...main.children].find(({ id }) => location.hash === `#${id}`)?.id;
  const target = pageState.target ?? named;
  const reloaded = performance.getEntriesByType('navigation').some((entry) => entry.toJSON().type === 'reload');
  if (target && !reloaded) void whenLaidOut(main).then(() => show(target, 'instant'));
  // The contents follow the sections that are there.
  main.before(new ContentsRail());
  markFarSections(main.children, () => whenLaidOut(main));
}

/** Plots learn their width in the frame after their figures are rendered, and have their height from then on. */
async function whenLaidOut(main: HTMLElement): Promise<void> {
  await Promise.all([...main.querySelectorAll<LitElement>('section > *')].map((part) => part.updateComplete));
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
}
