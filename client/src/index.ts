/** The public surface of `@heddle/client`. README.md explains it. */
export {
  Connection,
  type ConnectionOptions,
  type KeyCredentials,
  type RawAnswer,
  type RawRequest,
  type SessionCredentials,
} from './calls/connection.ts';
export {
  ApiError,
  isApiError,
  isOutcomeUnknown,
  isTemporary,
  NetworkError,
  type NetworkFailure,
  UnexpectedAnswerError,
} from './calls/errors.ts';
export { browserSession, type LoginOptions, logIn } from './calls/logging-in.ts';
export type { Address, Answer, Caller, CallOptions, NamedBlob, Operation } from './calls/operation.ts';
export * from './calls/operations.ts';
export type * from './calls/types.ts';
export {
  discardUpload,
  UploadError,
  type UploadedFile,
  type UploadOptions,
  type UploadProgress,
  type UploadRecord,
  uploadFile,
} from './calls/uploads.ts';
export { KeyedSubject, Subject, type Subscribable } from './model/changes.ts';
export { Model, type ModelOptions } from './model/model.ts';
export { type BotAccount, type BotOptions, type Reply, type RunningBot, runBot } from './session/bot.ts';
export { attachToPage } from './session/browser.ts';
export type { EventsInfo, Problem, SessionHandlers, Source, StateInfo } from './session/consumer.ts';
export { type Account, IndexedDbStore } from './session/indexed-db-store.ts';
export { MemoryStore } from './session/memory-store.ts';
export { Session, type SessionOptions, type StopOptions } from './session/session.ts';
export { type SessionStatus, SessionStoppedError, type StopReason } from './session/status.ts';
export type {
  ExtraChanges,
  SaveOptions,
  SessionStore,
  StoreChange,
  StoredPosition,
  StoredSession,
} from './session/store.ts';
export { Tabs } from './session/tabs.ts';
