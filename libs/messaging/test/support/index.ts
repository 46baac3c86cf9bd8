export { dropNamespace } from './drop-namespace';
export { eventTap, type EventTap } from './event-tap';
export { depthOf, eventsWaiting, onBroker, sendRaw, type RawMessage } from './raw-broker';
export { QUICK_TIMINGS } from './quick-timings';
export { openTestMessaging, testEventKeys, testEventKeySettings } from './test-messaging';
