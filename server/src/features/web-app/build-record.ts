/** The list of files in a build of the web app, `build.json`. `scripts/build-web.ts` writes it. */

export interface WebBuildRecord {
  /** By name. Names have no folders, and change with the content. */
  readonly files: Readonly<Record<string, WebBuildFile>>;
  readonly icons: readonly WebBuildIcon[];
  /** Absent in builds of earlier versions. */
  readonly screenshots?: readonly WebBuildScreenshot[];
}

/** A file in the folder `files`. The compressed forms are beside it, as `<name>.br` and `<name>.gz`. */
export interface WebBuildFile {
  /** Its `Content-Type`. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes of the compressed forms. They are absent if compression does not help. */
  readonly br?: number;
  readonly gzip?: number;
}

/** An icon, as the manifest of web apps describes it. */
export interface WebBuildIcon {
  /** The path of its file below the path of all files. */
  readonly file: string;
  readonly sizes: string;
  readonly type: string;
  /** `maskable`: platforms may cut off the edges. */
  readonly purpose: 'any' | 'maskable';
}

/** A picture of the app, which browsers show before they install it. */
export interface WebBuildScreenshot {
  /** The path of its file below the path of all files. */
  readonly file: string;
  readonly sizes: string;
  readonly type: string;
  /** The window: `wide` for desktops, `narrow` for phones. */
  readonly form_factor: 'wide' | 'narrow';
}
