import { claimsSettled } from '../parts/claims.js';
import { onAppearanceChange, oncePerFrame } from '../plots/screen.js';

/**
 * Marks the sections that are far from view, which the browser may then leave out: they are neither laid out nor painted,
 * so that a dragged slider pays for its own figure alone. A section is left out at the height that it last had. All of
 * them are therefore laid out first, with what their figures have to say, and once more when the width of the page, its
 * language or its fonts have changed; what the reader had before them then stays there. Their canvases are not painted in
 * any case: a browser lays sections out well ahead of what is shown, and hands every canvas in them to its compositor in
 * each frame.
 */
export function markFarSections(sections: HTMLCollection, whenLaidOut: () => Promise<void>): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) target.classList.toggle('far', !isIntersecting);
    },
    { rootMargin: '50% 0px' },
  );
  let newest = 0;
  let place: Place | undefined;
  let moves = false;
  const layOut = async (): Promise<void> => {
    const turn = ++newest;
    moves = true;
    observer.disconnect();
    for (const section of sections) section.classList.remove('far');
    await whenLaidOut();
    if (turn !== newest) return;
    if (place) goTo(place);
    moves = false;
    await claimsSettled();
    await whenLaidOut();
    if (turn !== newest) return;
    for (const section of sections) observer.observe(section);
  };
  const look = oncePerFrame(() => {
    if (!moves) place = placeIn(sections);
  });
  addEventListener('scroll', look.request, { passive: true });
  // A reader who follows a link meanwhile has another place.
  addEventListener('hashchange', () => {
    const section = [...sections].find(({ id }) => location.hash === `#${id}`);
    if (section) place = { section, below: parseFloat(getComputedStyle(section).scrollMarginTop), above: 0 };
  });
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return; // The bars of a phone's browser come and go.
    width = innerWidth;
    void layOut();
  });
  onAppearanceChange(() => void layOut());
  void layOut();
}

/** The section at the top of the window: how far down it begins, in pixels, or the share of it that is above. */
interface Place {
  readonly section: Element;
  readonly below: number;
  readonly above: number;
}

function placeIn(sections: HTMLCollection): Place | undefined {
  const section = [...sections].filter((one) => one.getBoundingClientRect().top <= innerHeight / 3).at(-1);
  if (!section) return undefined;
  const { top, height } = section.getBoundingClientRect();
  return { section, below: Math.max(0, top), above: Math.max(0, -top) / height };
}

function goTo({ section, below, above }: Place): void {
  const { top, height } = section.getBoundingClientRect();
  const distance = top - below + above * height;
  if (Math.abs(distance) >= 1) scrollBy({ top: distance, behavior: 'instant' });
}
