import type { EventPresenter, Presenters } from '../log/presentation.ts';
import type { Directory } from './directory.ts';

/** How one wire type looks: presenters are told who reads, and what the organization is like now. */
export type Presenter = EventPresenter<Directory>;

export type DirectoryPresenters = Presenters<Directory>;
