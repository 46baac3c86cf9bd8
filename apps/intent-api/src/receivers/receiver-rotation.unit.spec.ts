import { amountFromWire, type ReceiverAccountFact } from '@pay/contracts';
import { receiverRotation } from './receiver-rotation';

function account(id: number): ReceiverAccountFact {
  return {
    id: `00000000-0000-7000-8000-00000000000${id}`,
    version: 1,
    deleted: false,
    merchantId: '00000000-0000-7000-8000-00000000000a',
    environment: 'LIVE',
    paymentMethod: 'BKASH_PAYMENT',
    msisdn: `0170000000${id}`,
    isActive: true,
  };
}

describe('receiver rotation', () => {
  it('uses three accounts in turn and starts again', () => {
    const choose = receiverRotation();
    const question = {
      method: undefined,
      amount: amountFromWire('500'),
      receivers: { online: undefined, totals: new Map() },
      enabledMethods: ['BKASH_PAYMENT' as const],
      accounts: [account(1), account(2), account(3)],
    };

    const turns = Array.from({ length: 6 }, () => {
      const choice = choose(question);
      return choice.kind === 'chosen' ? choice.account.msisdn.at(-1) : choice.kind;
    });

    expect(turns).toEqual(['1', '2', '3', '1', '2', '3']);
  });
});
