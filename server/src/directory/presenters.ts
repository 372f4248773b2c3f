import type { EventPresenter, Presenters } from '../log/presentation.ts';
import type { Directory } from './directory.ts';

/** Formats events of one wire type for a reader, with the current directory. */
export type Presenter = EventPresenter<Directory>;

export type DirectoryPresenters = Presenters<Directory>;
