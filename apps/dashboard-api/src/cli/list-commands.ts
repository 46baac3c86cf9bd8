import { z } from 'zod';
import { pageOfMembers } from '../people/membership-repository';
import { allOpenNumberProofs } from '../receivers/number-proof-repository';
import { apiKeys, devices, merchants, receiverAccounts } from '../db/tables';
import { command, type Command } from './command';
import * as option from './options';

const ofMerchant = z.object({ merchant: option.merchant });

/** Read-only commands. Their results contain no hashes of keys or passwords. */
export const listCommands: Record<string, Command> = {
  'list-merchants': command({
    summary: 'Lists merchants',
    options: z.object({}),
    run: async (_deps, tx) => ({ merchants: await merchants.listBy(tx, 'present', []) }),
  }),
  'list-users': command({
    summary: 'Lists the people of a merchant',
    options: ofMerchant,
    run: async (_deps, tx, { merchant }) => ({
      users: (await pageOfMembers(tx, { page: 1, limit: 10_000 }, merchant)).data,
    }),
  }),
  'list-api-keys': command({
    summary: 'Lists the API keys of a merchant',
    options: ofMerchant,
    run: async (_deps, tx, { merchant }) => ({
      apiKeys: (await apiKeys.listBy(tx, 'ofMerchant', [merchant])).map(({ keyHash: _, ...key }) => key),
    }),
  }),
  'list-receiver-accounts': command({
    summary: 'Lists the wallet numbers of a merchant',
    options: ofMerchant,
    run: async (_deps, tx, { merchant }) => ({
      receiverAccounts: await receiverAccounts.listBy(tx, 'ofMerchant', [merchant]),
    }),
  }),
  'list-number-proofs': command({
    summary: 'Lists the numbers that merchants want to prove, for an operator to send the codes',
    options: z.object({}),
    run: async (deps, tx) => ({ numberProofs: await allOpenNumberProofs(tx, deps.now()) }),
  }),
  'list-devices': command({
    summary: 'Lists the phones of a merchant',
    options: ofMerchant,
    run: async (_deps, tx, { merchant }) => ({
      devices: (await devices.listBy(tx, 'ofMerchant', [merchant])).map(({ keyHash: _, ...device }) => device),
    }),
  }),
};
