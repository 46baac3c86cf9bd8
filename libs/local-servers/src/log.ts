/** Receives progress messages, one sentence each. `npm start` prints them, tests ignore them. */
export type Log = (sentence: string) => void;
