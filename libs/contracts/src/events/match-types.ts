import { EVENT_TYPES, type EventType } from './catalogue';

/** An event that tells of a decision. */
export type MatchType = Extract<EventType, `match.${string}`>;

export const MATCH_TYPES = EVENT_TYPES.filter((type): type is MatchType => type.startsWith('match.'));

/**
 * Decisions that leave a text where it is: none of them moves an intent, and most texts of a shop that takes other
 * money too end here.
 */
export const MATCH_TYPES_OF_TEXTS_ALONE: readonly MatchType[] = ['match.pending', 'match.unparsed'];

/** Decisions that may move an intent. */
export const MATCH_TYPES_OF_INTENTS = MATCH_TYPES.filter((type) => !MATCH_TYPES_OF_TEXTS_ALONE.includes(type));
