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
