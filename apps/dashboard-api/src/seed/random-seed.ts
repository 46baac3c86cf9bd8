import { randomInt } from 'node:crypto';
import { paymentMethodSchema, type PaymentMethod } from '@pay/contracts';
import { newCredential } from '@pay/directory';
import { newId } from '@pay/runtime';
import { newPassword } from '../sign-in/passwords';
import { DEMO_LOGO } from './demo-logo';
import type { SeedFile, SeedMerchant } from './seed-file';

/**
 * Two merchants, to test isolation by hand: one with all methods and one with a single method. All secrets are random.
 */
export function randomSeed(): SeedFile {
  const nextMsisdn = distinctMsisdns();
  return {
    merchants: [
      randomMerchant('Demo Shop', 'demo-shop.example', paymentMethodSchema.options, nextMsisdn),
      randomMerchant('Corner Store', 'corner-store.example', ['BKASH_SEND_MONEY'], nextMsisdn),
    ],
  };
}

function randomMerchant(
  name: string,
  domain: string,
  methods: readonly PaymentMethod[],
  nextMsisdn: () => string,
): SeedMerchant {
  const receivers = () => methods.map((paymentMethod) => ({ paymentMethod, msisdn: nextMsisdn() }));
  return {
    id: newId(),
    name,
    support: { phone: '+880 9600-000000', email: `help@${domain}`, website: `https://${domain}` },
    branding: { logo: DEMO_LOGO, colour: null },
    // E-mail addresses are unique, so a new seed must not repeat one of a kept database.
    owner: { email: `owner-${randomInt(2 ** 32).toString(36)}@${domain}`, password: newPassword() },
    sandbox: {
      apiKey: newCredential('sk_test_'),
      deviceId: newId(),
      deviceKey: newCredential('dk_test_'),
      receivers: receivers(),
    },
    live: {
      apiKey: newCredential('sk_live_'),
      deviceId: newId(),
      deviceKey: newCredential('dk_live_'),
      receivers: receivers(),
    },
  };
}

/** Unique numbers of all operators (013 to 019). */
function distinctMsisdns(): () => string {
  const given = new Set<string>();
  return () => {
    for (;;) {
      const msisdn = `01${randomInt(3, 10)}${String(randomInt(100_000_000)).padStart(8, '0')}`;
      if (!given.has(msisdn)) {
        given.add(msisdn);
        return msisdn;
      }
    }
  };
}
