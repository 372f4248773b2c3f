/** How a picture is shown: enlarged by `scale`, then moved by `x` and `y` pixels from the middle. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A position relative to the middle of the stage, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const FITTED: View = { scale: 1, x: 0, y: 0 };

/** The factor of one press on a key or a button. */
export const ZOOM_STEP_FACTOR = 1.5;

const MAX_SCALE_FACTOR = 12;

/** Enlarges or reduces the picture, so that the point stays where it is. */
export function zoomed(view: View, factor: number, at: Point = { x: 0, y: 0 }): View {
  const scale = Math.min(MAX_SCALE_FACTOR, Math.max(1, view.scale * factor));
  if (scale === 1) return FITTED;
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

export function moved(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/** Keeps the picture on the stage: it can be moved only as far as its edges. `fitted` is its size without zoom. */
export function bounded(view: View, fitted: Size, stage: Size): View {
  const limit = (picture: number, room: number) => Math.max(0, (picture * view.scale - room) / 2);
  const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value));
  return {
    scale: view.scale,
    x: clamp(view.x, limit(fitted.width, stage.width)),
    y: clamp(view.y, limit(fitted.height, stage.height)),
  };
}

/** The size of a picture on the stage: as large as possible, but not larger than it is. */
export function fittedSize(picture: Size, stage: Size): Size {
  const scale = Math.min(1, stage.width / picture.width, stage.height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}
