import { withParsedNames } from './parsed-names';

describe('withParsedNames', () => {
  it('prefixes the values that the parser read, and keeps other fields and the order', () => {
    const internal = {
      id: 'a',
      amount: '500',
      receiverMsisdn: '01700000900',
      trxId: null,
      senderMsisdn: '01711000999',
    };

    expect(Object.entries(withParsedNames(internal))).toEqual([
      ['id', 'a'],
      ['parsedAmount', '500'],
      ['receiverMsisdn', '01700000900'],
      ['parsedTrxId', null],
      ['parsedSenderMsisdn', '01711000999'],
    ]);
  });

  it.each(['fee', 'commission', 'balance', 'reference', 'recipientMsisdn'])('prefixes %s', (name) => {
    const [publicName] = Object.keys(withParsedNames({ [name]: 'x' }));
    expect(publicName).toBe(`parsed${name[0]?.toUpperCase()}${name.slice(1)}`);
  });
});
