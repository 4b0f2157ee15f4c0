import { Pen } from '../plots/pen.js';
import { stagesIn } from '../plots/stage.js';
import { themeOf } from '../plots/theme.js';
import type { DrawingContext } from '../plots/drawing-context.js';
import { SvgContext, escapeXml } from './svg-context.js';

/** Least number of pixels to a CSS pixel in a PNG file. */
const LEAST_RATIO = 2;
/** Paper around a picture, CSS pixels. */
const MARGIN = 16;
/** What stands among plots and is not part of the picture. */
const NOT_DRAWN = '[data-plot], button, input, select, number-slider, choice-group, text-field, play-control';

/** A plot or a line of text of a picture, where it stands in CSS pixels from the picture's corner. */
interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Draws it at the origin of a context, in the device pixels of the screen times `scale`. */
  readonly paint: (context: DrawingContext, scale: number) => void;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly paper: string;
  readonly parts: readonly Part[];
}

/** All plots inside an element, with the text between them, as a PNG file of two pixels or more to a CSS pixel. */
export async function png(root: Element): Promise<Blob> {
  const { width, height, paper, parts } = pictureOf(root);
  // A whole multiple of the screen's pixels, so that cells stay whole.
  const scale = Math.ceil(LEAST_RATIO / devicePixelRatio);
  const px = (length: number): number => Math.ceil(length * devicePixelRatio) * scale;
  const blank = (size: { width: number; height: number }): HTMLCanvasElement =>
    Object.assign(document.createElement('canvas'), { width: px(size.width), height: px(size.height) });
  const canvas = blank({ width, height });
  const context = canvas.getContext('2d')!;
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const part of parts) {
    const piece = blank(part);
    part.paint(piece.getContext('2d')!, scale);
    context.drawImage(piece, px(part.left), px(part.top));
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png'),
  );
}

/** The same as an SVG file: axes, lines and text as such, cells of heat maps as images of one pixel each. */
export function svg(root: Element, title: string): string {
  const { width, height, paper, parts } = pictureOf(root);
  const px = (length: number): number => Math.ceil(length * devicePixelRatio);
  const groups = parts.map((part, index) => {
    const context = new SvgContext(`part-${index}`);
    part.paint(context, 1);
    return `<g transform="translate(${px(part.left)} ${px(part.top)})">\n${context.elements.join('\n')}\n</g>`;
  });
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${px(width)} ${px(height)}">
<title>${escapeXml(title)}</title>
<rect width="100%" height="100%" fill="${paper}"/>
${groups.join('\n')}
</svg>
`;
}

function pictureOf(root: Element): Picture {
  const parts = [...plotParts(root), ...textParts(root)];
  const left = Math.min(...parts.map((part) => part.left)) - MARGIN;
  const top = Math.min(...parts.map((part) => part.top)) - MARGIN;
  return {
    width: Math.max(...parts.map((part) => part.left + part.width)) + MARGIN - left,
    height: Math.max(...parts.map((part) => part.top + part.height)) + MARGIN - top,
    paper: themeOf(root).color('paper'),
    parts: parts.map((part) => ({ ...part, left: part.left - left, top: part.top - top })),
  };
}

function plotParts(root: Element): Part[] {
  return stagesIn(root).map((stage) => {
    const { left, top, width, height } = stage.element.getBoundingClientRect();
    const paint: Part['paint'] = (context, scale) =>
      stage.paint(new Pen(context, devicePixelRatio, themeOf(stage.element), scale));
    return { left, top, width, height, paint };
  });
}

/** Every line of text that stands among the plots in the document. */
function textParts(root: Element): Part[] {
  const parts: Part[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement!;
    if (parent.closest(NOT_DRAWN) || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontWeight, fontSize, fontFamily } = getComputedStyle(parent);
    for (const { text, box } of linesOf(node as Text)) {
      const paint: Part['paint'] = (context, scale) => {
        const ratio = devicePixelRatio * scale;
        context.font = `${fontWeight} ${parseFloat(fontSize) * ratio}px ${fontFamily}`;
        context.fillStyle = color;
        context.textBaseline = 'middle';
        context.fillText(text, 0, (box.height / 2) * ratio);
      };
      parts.push({ left: box.left, top: box.top, width: box.width + 2, height: box.height, paint });
    }
  }
  return parts;
}

/** The words of a text node as the browser has broken them into lines. */
function linesOf(node: Text): { text: string; box: DOMRect }[] {
  const lines: { text: string; box: DOMRect }[] = [];
  const range = document.createRange();
  for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = range.getBoundingClientRect();
    const last = lines.at(-1);
    if (box.width === 0) continue;
    if (last && Math.abs(last.box.top - box.top) < 1) {
      last.text += ` ${word}`;
      last.box = new DOMRect(last.box.left, last.box.top, box.right - last.box.left, box.height);
    } else {
      lines.push({ text: word, box });
    }
  }
  return lines;
}
