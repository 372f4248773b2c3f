/** The supported part of the protocol tus (https://tus.io). */
export const TUS_VERSION = '1.0.0';
export const EXTENSIONS = ['creation', 'creation-with-upload', 'termination'];
