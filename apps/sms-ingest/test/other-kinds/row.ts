import type { RecognisedSmsKind, SmsDirection } from '@pay/contracts';

/** Amount, fee, balance, id, Bangladesh time: null for what the text does not say. */
type Said = [string | null, string | null, string | null, string | null, string | null];
/** A text that is no evidence, and what the parser reads of it. */
export type Row = [kind: RecognisedSmsKind, direction: SmsDirection, text: string, said: Said];

export const AT = '21/11/2026 15:01';
export const TIME = '2026-11-21T15:01';
