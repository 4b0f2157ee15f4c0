/**
 * Marks the sections that are not near what is shown, whose canvases are then not painted. A browser hands every canvas of
 * a page to its compositor in each frame, which takes longer than drawing a figure where there are dozens. The canvases keep
 * their place, can be focused, and keep what is drawn in them.
 */
export function markFarSections(sections: Iterable<Element>): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) target.classList.toggle('far', !isIntersecting);
    },
    { rootMargin: '50% 0px' },
  );
  for (const section of sections) observer.observe(section);
}
