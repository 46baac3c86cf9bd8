import { actionText } from './action-text';

it.each([
  ['api_key.revoked', 'API key: revoked', 'API কী: বাতিল হয়েছে'],
  ['exception.reject_asked', 'Exception: reject (requested)', 'যাচাই: বাতিল (অনুরোধ করা হয়েছে)'],
  ['sms_event.reported', 'SMS: format reported', 'এসএমএস: ফরম্যাট জানানো হয়েছে'],
  [
    'sms_events.reparsed_asked',
    'Several SMS: parsed again (requested)',
    'একাধিক এসএমএস: আবার পড়া হয়েছে (অনুরোধ করা হয়েছে)',
  ],
  ['webhook_delivery.redelivered_refused', 'Delivery: sent again (refused)', 'ডেলিভারি: আবার পাঠানো হয়েছে (প্রত্যাখ্যাত)'],
  ['device.unsigned_texts_refused', 'Phone: unsigned texts refused', 'ফোন: স্বাক্ষরহীন এসএমএস নিষিদ্ধ'],
])('describes %s in both languages', (action, english, bangla) => {
  expect([actionText(action, 'en'), actionText(action, 'bn')]).toEqual([english, bangla]);
});

it('has no text for an action of a newer version', () => {
  expect(actionText('api_key.painted', 'bn')).toBeUndefined();
  expect(actionText('toString.valueOf', 'en')).toBeUndefined();
});
