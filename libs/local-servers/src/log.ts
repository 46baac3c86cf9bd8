/** Receives one sentence of progress at a time; `npm start` prints them, tests drop them. */
export type Log = (sentence: string) => void;
