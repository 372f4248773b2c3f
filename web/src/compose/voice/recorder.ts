import { Subject } from '@heddle/client/model/changes.ts';

/** A longer message is hard to listen to, and its file is large. */
export const MAX_VOICE_SECONDS = 10 * 60;

/** What browsers can record and the server lets others play, with the endings of the files. The best comes first. */
const FORMATS = [
  ['audio/webm;codecs=opus', 'weba'],
  ['audio/mp4', 'm4a'],
  ['audio/webm', 'weba'],
] as const;

type Sound = MediaStream; // wire name: the platform's

export interface Recording {
  readonly file: File;
  /** The address of the file in this page. */
  readonly url: string;
}

export type RecorderState = 'idle' | 'asking' | 'recording' | 'recorded' | 'refused';

/** Whether this browser can record. Only pages with HTTPS have the microphone. */
export function canRecord(): boolean {
  return typeof MediaRecorder === 'function' && 'mediaDevices' in navigator && formatOf() !== undefined;
}

function formatOf() {
  return FORMATS.find(([type]) => MediaRecorder.isTypeSupported(type));
}

/** Records one voice message. */
export class VoiceRecorder {
  readonly changes = new Subject();
  state: RecorderState = 'idle';
  seconds = 0;
  recording: Recording | undefined;
  readonly #name: string;
  #recorder: MediaRecorder | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  /** @param name of the file, without its ending */
  constructor(name: string) {
    this.#name = name;
  }

  async start(): Promise<void> {
    this.#drop();
    this.#set('asking');
    const format = formatOf();
    let sound: Sound | undefined;
    try {
      if (format === undefined) throw new Error('the browser records no known format');
      sound = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (this.#isClosed) endSound(sound);
      else this.#record(sound, format);
    } catch {
      if (sound !== undefined) endSound(sound);
      this.#set('refused');
    }
  }

  stop(): void {
    if (this.#recorder?.state === 'recording') this.#recorder.stop();
  }

  /** Ends everything. The file stays with whoever took it. */
  close(): void {
    this.#isClosed = true;
    this.stop();
    this.#drop();
  }

  #record(sound: Sound, [type, ending]: (typeof FORMATS)[number]): void {
    const recorder = new MediaRecorder(sound, { mimeType: type });
    this.#recorder = recorder;
    const chunks: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data));
    recorder.addEventListener('stop', () => {
      endSound(sound);
      clearInterval(this.#timer);
      if (this.#isClosed) return;
      const plainType = type.replace(/;.*/, '');
      const file = new File(chunks, `${this.#name}.${ending}`, { type: plainType });
      this.recording = { file, url: URL.createObjectURL(file) };
      this.#set('recorded');
    });
    recorder.start();
    this.seconds = 0;
    this.#timer = setInterval(() => {
      this.seconds += 1;
      if (this.seconds >= MAX_VOICE_SECONDS) this.stop();
      this.changes.changed();
    }, 1_000);
    this.#set('recording');
  }

  #drop(): void {
    if (this.recording !== undefined) URL.revokeObjectURL(this.recording.url);
    this.recording = undefined;
  }

  #set(state: RecorderState): void {
    this.state = state;
    this.changes.changed();
  }
}

/** The sign of the browser that it records goes out. */
function endSound(sound: Sound): void {
  for (const track of sound.getTracks()) track.stop();
}
