/** The part of a canvas context that plots draw with: what an SVG file can hold as well. */
export type DrawingContext = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'globalAlpha'
  | 'lineWidth'
  | 'lineCap'
  | 'lineJoin'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'imageSmoothingEnabled'
  | 'setLineDash'
  | 'setTransform'
  | 'translate'
  | 'rotate'
  | 'save'
  | 'restore'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'quadraticCurveTo'
  | 'closePath'
  | 'rect'
  | 'fillRect'
  | 'fillText'
  | 'strokeText'
  | 'measureText'
> & {
  arc(x: number, y: number, radius: number, from: number, to: number, counterclockwise?: boolean): void;
  /** Of the current path. */
  fill(): void;
  stroke(): void;
  clip(): void;
  /** All of a canvas, or a part of it, in a rectangle. */
  drawImage(image: HTMLCanvasElement | OffscreenCanvas, x: number, y: number, width: number, height: number): void;
  drawImage(
    image: HTMLCanvasElement | OffscreenCanvas,
    sourceX: number,
    sourceY: number,
    sourceWidth: number,
    sourceHeight: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void;
};
