/**
 * Giphy and Tenor for tests, on one port: the parts of their documented interfaces that the server uses, and pictures. Both find 60 GIFs
 * for each search.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

const FOUND = 60;

export class TestGifService {
  /** What the services accept. */
  readonly key = 'key-of-the-service-7c1f';
  /** The requested searches, in order. */
  readonly searches: URL[] = [];
  /** The paths of the requested pictures. */
  readonly pictures: string[] = [];
  /** In place of the usual response to a search. */
  behaviour: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** In place of the usual response to a request for a picture. `send` sends that one. */
  pictureBehaviour: ((path: string, send: () => void) => void) | undefined;
  /** In place of the usual bytes of a picture. */
  picture: Buffer;
  readonly #server = createServer((request, response) => this.#serve(request, response));

  private constructor(picture: Buffer) {
    this.picture = picture;
  }

  static async start(): Promise<TestGifService> {
    const service = new TestGifService(await movingPicture());
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Makes a server use it. */
  get environment(): Readonly<Record<string, string>> {
    return {
      HEDDLE_GIPHY_URL: this.url,
      HEDDLE_TENOR_URL: this.url,
      HEDDLE_IMAGE_PRIVATE_NETWORKS: '127.0.0.1',
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', this.url);
    if (url.pathname.startsWith('/pictures/')) {
      this.pictures.push(url.pathname);
      const send = () => void response.writeHead(200, { 'content-type': 'image/gif' }).end(this.picture);
      if (this.pictureBehaviour === undefined) send();
      else this.pictureBehaviour(url.pathname, send);
      return;
    }
    this.searches.push(url);
    if (this.behaviour !== undefined) this.behaviour(request, response);
    else this.#answer(url, response);
  }

  #answer(url: URL, response: ServerResponse): void {
    const { searchParams: given } = url;
    const isGiphy = url.pathname.startsWith('/v1/gifs/');
    if (given.get(isGiphy ? 'api_key' : 'key') !== this.key) {
      response.writeHead(isGiphy ? 401 : 400, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const limit = Number(given.get('limit'));
    const start = Number(given.get(isGiphy ? 'offset' : 'pos') ?? 0);
    const subject = given.get('q') ?? 'popular';
    const numbers = Array.from({ length: Math.max(0, Math.min(limit, FOUND - start)) }, (_, index) => start + index);
    const body = isGiphy ? this.#giphy(subject, numbers, start) : this.#tenor(subject, numbers, start + limit);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #giphy(subject: string, numbers: readonly number[], offset: number): object {
    return {
      data: numbers.map((number) => {
        const rendition = (name: string, size: number) => ({
          ...{ url: this.#pictureUrl(number, name), width: '120', height: '100', size: String(size) },
        });
        return {
          type: 'gif',
          id: `g${number}`,
          title: `${subject} ${number} GIF`,
          images: {
            original: rendition('original', 9_000_000),
            downsized: rendition('downsized', 900_000),
            fixed_height_small: rendition('small', 90_000),
            fixed_height_small_still: rendition('still', 9_000),
          },
        };
      }),
      pagination: { total_count: FOUND, count: numbers.length, offset },
      meta: { status: 200, msg: 'OK', response_id: 'r' },
    };
  }

  #tenor(subject: string, numbers: readonly number[], next: number): object {
    return {
      results: numbers.map((number) => {
        const format = (name: string, size: number) => ({
          ...{ url: this.#pictureUrl(number, name), dims: [220, 160], duration: 1, size },
        });
        return {
          id: String(number),
          title: '',
          content_description: `${subject} ${number}`,
          media_formats: {
            gif: format('original', 9_000_000),
            mediumgif: format('downsized', 900_000),
            tinygif: format('small', 90_000),
            tinygifpreview: format('still', 9_000),
          },
        };
      }),
      next: next < FOUND ? String(next) : '',
    };
  }

  #pictureUrl(number: number, name: string): string {
    return `${this.url}/pictures/${number}/${name}.gif`;
  }
}

function movingPicture(): Promise<Buffer> {
  const frame = (background: string) => ({ create: { width: 12, height: 10, channels: 4, background } as const });
  return Promise.all(['teal', 'orange'].map((colour) => sharp(frame(colour)).png().toBuffer())).then((frames) =>
    sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
}
