import { METHOD_TEXTS, METHODS_WITH_REFERENCE, METHODS_WITHOUT_REFERENCE, paymentMethodSchema } from './index';

describe('METHOD_TEXTS', () => {
  it('says of Cash Out and of Nagad Payment that their texts carry no reference', () => {
    expect(METHODS_WITHOUT_REFERENCE).toEqual(['BKASH_CASHOUT', 'NAGAD_PAYMENT', 'NAGAD_CASHOUT']);
  });

  it('divides all methods into those with and without a reference', () => {
    expect([...METHODS_WITH_REFERENCE, ...METHODS_WITHOUT_REFERENCE].toSorted()).toEqual(
      paymentMethodSchema.options.toSorted(),
    );
    expect(Object.keys(METHOD_TEXTS)).toEqual(paymentMethodSchema.options);
  });
});
