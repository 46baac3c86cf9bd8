import { simulationBody, type SimulationFields } from './simulation-body';

const FIELDS: SimulationFields = {
  mode: 'fields',
  paymentMethod: 'BKASH_SEND_MONEY',
  amount: ' 1,250.50 ',
  customerReference: ' TEA-77 ',
  receiverMsisdn: '01700000900',
  senderMsisdn: '01712345678',
  trxId: 'dkl4a1b2c3',
  fee: '',
  balance: '',
  sender: 'bKash',
  message: 'A text',
};

describe('simulationBody', () => {
  it('contains filled fields, and leaves empty ones to the simulator', () => {
    expect(simulationBody(FIELDS)).toEqual({
      paymentMethod: 'BKASH_SEND_MONEY',
      amount: '1250.50',
      customerReference: 'TEA-77',
      trxId: 'DKL4A1B2C3',
      receiverMsisdn: '01700000900',
      senderMsisdn: '01712345678',
    });
  });

  it('accepts Bangla digits in amounts and in the number of the payer', () => {
    const body = simulationBody({ ...FIELDS, amount: '১,২৫০.৫০', fee: '৫', senderMsisdn: '০১৭১২৩৪৫৬৭৮' });

    expect(body).toMatchObject({ amount: '1250.50', fee: '5', senderMsisdn: '01712345678' });
  });

  it('sends an own text as it was typed', () => {
    expect(simulationBody({ ...FIELDS, mode: 'text', message: ' A  text ' })).toEqual({
      sender: 'bKash',
      message: ' A  text ',
      receiverMsisdn: '01700000900',
    });
  });
});
