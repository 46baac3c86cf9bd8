import type { Forwarder } from '@pay/contracts';
import type { ForwarderAdapter } from './adapter';
import { httpsms } from './httpsms';
import { incomingSmsToUrl } from './incoming-sms-to-url';
import { piprapay } from './piprapay';
import { smsGatewayAndroid } from './sms-gateway-android';
import { smsforwarder } from './smsforwarder';
import { textbee } from './textbee';

/** The supported apps by the name in the hook's URL. */
export const ADAPTERS: Readonly<Record<Forwarder, ForwarderAdapter>> = {
  'sms-gateway-android': smsGatewayAndroid,
  'incoming-sms-to-url': incomingSmsToUrl,
  smsforwarder,
  piprapay,
  textbee,
  httpsms,
};
