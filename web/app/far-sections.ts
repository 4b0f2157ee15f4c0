import { onAppearanceChange } from './plots/screen.js';

/**
 * Marks the sections that are far from view, which the browser may then leave out: they are neither laid out nor painted,
 * so that a dragged slider pays for its own figure alone. A section is left out at the height that it last had. All of
 * them are therefore laid out first, and once more when the width of the page, its language or its fonts have changed.
 * Their canvases are not painted in any case: a browser lays sections out well ahead of what is shown, and hands every
 * canvas in them to its compositor in each frame.
 */
export function markFarSections(sections: HTMLCollection, whenLaidOut: () => Promise<void>): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) target.classList.toggle('far', !isIntersecting);
    },
    { rootMargin: '50% 0px' },
  );
  let newest = 0;
  const layOut = async (): Promise<void> => {
    const turn = ++newest;
    observer.disconnect();
    for (const section of sections) section.classList.remove('far');
    await whenLaidOut();
    if (turn !== newest) return;
    for (const section of sections) observer.observe(section);
  };
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return; // The bars of a phone's browser come and go.
    width = innerWidth;
    void layOut();
  });
  onAppearanceChange(() => void layOut());
  void layOut();
}
