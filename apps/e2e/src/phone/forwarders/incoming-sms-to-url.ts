import { untilTaken, type Forwarder } from './forwarder';

/** org.json of Android escapes the slash and all non-ASCII characters. */
function androidJsonString(text: string): string {
  return JSON.stringify(text)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** bogkonstantin's app with its default template: no signature and no id, timestamps as numbers. */
export const incomingSmsToUrl: Forwarder = {
  batch: 1,
  request: ([sms]) => {
    if (sms === undefined) throw new RangeError('one text at a time');
    const [sent, received] = [sms.happenedAt.getTime(), sms.receivedAt.getTime()];
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'SMS Forwarder App' },
      body: `{\n  "from":"${sms.sender}",\n  "text":${androidJsonString(sms.text)},\n  "sentStamp":${sent},\n  "receivedStamp":${received},\n  "sim":"sim${sms.wallet.simSlot}"\n}`,
    };
  },
  outcome: untilTaken,
};

/** PipraPay's second app, a fork of the one above with another name and other responses. */
export const pipraPay: Forwarder = {
  batch: 1,
  request: (texts, secret, now) => {
    const request = incomingSmsToUrl.request(texts, secret, now);
    return { ...request, headers: { ...request.headers, 'user-agent': 'mh-piprapay-api-key' } };
  },
  outcome: (answer) => {
    const taken = untilTaken(answer);
    return taken === 'done' && !/"status"\s*:\s*"true"/.test(answer.body) ? 'again' : taken;
  },
};
