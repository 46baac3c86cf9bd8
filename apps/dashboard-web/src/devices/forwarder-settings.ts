import type { Forwarder } from '@pay/contracts';

export interface ForwarderSetting {
  /** Where the setting is, in the words of the app. */
  readonly name: string;
  readonly value: string;
}

/** What to enter into each app, as `docs/forwarders` describes it. The names are those that the app shows. */
export function settingsOf(adapter: Forwarder, url: string, secret: string | null): readonly ForwarderSetting[] {
  const key = secret ?? '';
  switch (adapter) {
    case 'sms-gateway-android':
      return [
        { name: 'Settings > Webhooks > Signing Key', value: key },
        { name: 'Settings > Ping > Interval', value: '60' },
        { name: 'Webhook sms:received', value: url },
        { name: 'Webhook system:ping', value: url },
      ];
    case 'incoming-sms-to-url':
      return [
        { name: 'Sender', value: '*' },
        { name: 'URL', value: url },
        ...(secret === null
          ? []
          : [{ name: 'Headers', value: JSON.stringify({ 'User-agent': 'SMS Forwarder App', 'X-Hook-Secret': key }) }]),
        { name: 'Retries', value: '10' },
      ];
    case 'smsforwarder':
      return [
        { name: 'Senders > + > Webhook > Method', value: 'POST' },
        { name: 'Webhook Server', value: url },
        { name: 'Secret', value: key },
        {
          name: 'Params',
          value:
            '{"from": "[from]", "text": "[org_content]", "timestamp": "[timestamp]", "receivedAt": "[receive_time]", "sim": "[card_slot]", "sign": "[sign]"}',
        },
        { name: 'Retry times', value: '10' },
        { name: 'Delay', value: '5' },
      ];
    case 'piprapay':
      return [{ name: 'Webhook URL', value: url }];
    case 'textbee':
      return [
        { name: 'Webhooks > Create > Delivery URL', value: url },
        { name: 'Signing secret', value: key },
        { name: 'Events', value: 'MESSAGE_RECEIVED' },
      ];
    case 'httpsms':
      return [
        { name: 'Settings > Webhooks > Callback URL', value: url },
        { name: 'Signing key', value: key },
        { name: 'Events', value: 'message.phone.received' },
      ];
  }
}
