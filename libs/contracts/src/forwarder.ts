import { z } from 'zod';

/** Apps of others that forward SMS in a form of their own, by the name that stands in their hooks' addresses. */
export const FORWARDERS = [
  'sms-gateway-android',
  'incoming-sms-to-url',
  'smsforwarder',
  'piprapay',
  'textbee',
  'httpsms',
] as const;
export const forwarderSchema = z.enum(FORWARDERS);
export type Forwarder = z.infer<typeof forwarderSchema>;

/**
 * What each does with the hook's secret: `signs` its requests with it, sends it in a `header` as it is if the merchant
 * wants one, or knows `nothing` of secrets, so that the address alone tells who it is.
 */
export const SECRET_USE: Readonly<Record<Forwarder, 'signs' | 'header' | 'nothing'>> = {
  'sms-gateway-android': 'signs',
  'incoming-sms-to-url': 'header',
  smsforwarder: 'signs',
  piprapay: 'nothing',
  textbee: 'signs',
  httpsms: 'signs',
};

/**
 * Whether the signature of a request covers the text of the SMS. Without that, whoever knows the address of a hook, or
 * has seen one request, can send texts of their own.
 */
export const SIGNS_TEXT: Readonly<Record<Forwarder, boolean>> = {
  'sms-gateway-android': true,
  'incoming-sms-to-url': false,
  smsforwarder: false,
  piprapay: false,
  textbee: true,
  httpsms: false,
};
