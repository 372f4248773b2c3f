// biome-ignore lint/suspicious/noExplicitAny: answers are held against the contract by the server, tests read them freely
export type Json = any;
