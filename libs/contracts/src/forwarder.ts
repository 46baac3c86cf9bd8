import { z } from 'zod';

/** Third-party forwarder apps, by the name in their hook URLs. */
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
 * How each app uses the hook's secret: `signs` its requests, sends it in a `header` if configured, or uses `nothing`,
 * so that only the URL authenticates.
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
 * Whether the request signature covers the SMS text. Otherwise anyone who knows the hook URL, or has seen one request,
 * can send other texts.
 */
export const SIGNS_TEXT: Readonly<Record<Forwarder, boolean>> = {
  'sms-gateway-android': true,
  'incoming-sms-to-url': false,
  smsforwarder: false,
  piprapay: false,
  textbee: true,
  httpsms: false,
};
