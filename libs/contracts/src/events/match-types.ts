import { EVENT_TYPES, type EventType } from './catalogue';

/** An event about a decision. */
export type MatchType = Extract<EventType, `match.${string}`>;

export const MATCH_TYPES = EVENT_TYPES.filter((type): type is MatchType => type.startsWith('match.'));

/**
 * Decisions that never change the status of an intent. Most texts of a shop that also receives other money end here.
 */
export const MATCH_TYPES_OF_TEXTS_ALONE: readonly MatchType[] = ['match.pending', 'match.unparsed'];

/** Decisions that may change the status of an intent. */
export const MATCH_TYPES_OF_INTENTS = MATCH_TYPES.filter((type) => !MATCH_TYPES_OF_TEXTS_ALONE.includes(type));
