// When a plot has to draw again, and how wide it is in device pixels.

/** Calls back when what a plot looks like may have changed without its numbers: theme, language, a font that has arrived. */
export function onAppearanceChange(callback: () => void): void {
  const attributeFilter = ['data-theme', 'lang', 'class', 'style'];
  new MutationObserver(callback).observe(document.documentElement, { attributeFilter });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', callback);
  document.fonts.addEventListener('loadingdone', callback);
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

/** Calls back with a value where it is not the last one. */
export function onceEach<Value>(callback: ((value: Value) => void) | undefined): (value: Value) => void {
  let told = '';
  return (value) => {
    const text = JSON.stringify(value);
    if (text === told) return;
    told = text;
    callback?.(value);
  };
}

/**
 * Calls back with the width of an element in whole device pixels, now and whenever it changes. The width is the one the
 * browser rasterizes, so that a canvas of it is not resampled.
 */
export function onDeviceWidth(element: Element, callback: (width: number) => void): void {
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
}
