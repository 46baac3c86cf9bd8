import { EVENT_TYPES, type EventType } from './catalogue';

/** An event of an intent. */
export type IntentType = Extract<EventType, `intent.${string}`>;

export const INTENT_TYPES = EVENT_TYPES.filter((type): type is IntentType => type.startsWith('intent.'));
