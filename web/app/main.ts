import { engine } from './engine/client.js';
import { figures } from './figures/index.js';
import { startHero } from './hero/hero.js';
import { ContentsRail } from './parts/contents-rail.js';
import { EncodingList } from './parts/encoding-list.js';
import { parts } from './parts/index.js';
import { SpeedHere } from './speed/speed.js';
import { applyPreferences } from './preferences.js';

applyPreferences();
engine.start();
startHero();

customElements.define('speed-here', SpeedHere);
for (const [tag, part] of Object.entries(parts)) customElements.define(tag, part);

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
for (const [id, part] of Object.entries({ speed: new SpeedHere(), encodings: new EncodingList() })) {
  const section = document.createElement('section');
  section.id = id;
  section.append(part);
  main.append(section);
}
// The contents follow the sections that are there.
main.before(new ContentsRail());
