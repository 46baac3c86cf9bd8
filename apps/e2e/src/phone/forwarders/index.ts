import type { Forwarder } from './forwarder';
import { httpSms } from './httpsms';
import { incomingSmsToUrl, pipraPay } from './incoming-sms-to-url';
import { ownApi } from './own-api';
import { smsForwarder } from './smsforwarder';
import { smsGatewayAndroid } from './sms-gateway-android';
import { textbee } from './textbee';

/** Keys are the names of hooks of the gateway. `own-api` needs no hook. */
export const FORWARDERS: Readonly<Record<string, (url: string) => Forwarder>> = {
  'own-api': () => ownApi,
  'sms-gateway-android': () => smsGatewayAndroid,
  'incoming-sms-to-url': () => incomingSmsToUrl,
  smsforwarder: () => smsForwarder,
  piprapay: () => pipraPay,
  textbee: () => textbee,
  httpsms: httpSms,
};
