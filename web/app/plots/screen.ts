// When a plot has to draw again, and how wide it is in device pixels.

/**
 * Calls back when what a plot looks like may have changed without its numbers: theme, language (its fonts), a font
 * that has arrived. Returns a function that stops it.
 */
export function onAppearanceChange(callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'lang', 'class', 'style'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', callback);
  document.fonts.addEventListener('loadingdone', callback);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', callback);
    document.fonts.removeEventListener('loadingdone', callback);
  };
}

/** Coalesces calls into one per animation frame. */
export function oncePerFrame(draw: () => void): { request: () => void; cancel: () => void } {
  let frame = 0;
  return {
    request: () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw();
      });
    },
    cancel: () => {
      cancelAnimationFrame(frame);
      frame = 0;
    },
  };
}

/**
 * Calls back with the width of an element in whole device pixels, now and whenever it changes. The width is the one the
 * browser rasterizes, so that a canvas of it is not resampled. Returns a function that stops it.
 */
export function onDeviceWidth(element: Element, callback: (width: number) => void): () => void {
  const observer = new ResizeObserver(([entry]) => {
    if (!entry) return;
    const scaled = entry.contentRect.width * devicePixelRatio;
    const rasterized = entry.devicePixelContentBoxSize?.[0]?.inlineSize;
    // An emulated device reports its own pixel ratio but the real machine's pixels.
    const agrees = rasterized !== undefined && Math.abs(rasterized - scaled) < 1;
    callback(agrees ? rasterized : Math.round(scaled));
  });
  try {
    observer.observe(element, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(element); // Safari observes CSS pixels only.
  }
  return () => observer.disconnect();
}
