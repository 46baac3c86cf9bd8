import { DEFAULT_API_KEY_SCOPES, directoryKindSchema, paymentMethodSchema, type SupportContact } from '@pay/contracts';
import { instantOption } from '@pay/runtime';
import { z } from 'zod';
import { addMember } from '../people/add-member';
import { addReceiverAccount } from '../receivers/add-receiver-account';
import { attachReceivers } from '../devices/attach-receivers';
import { changeMerchant } from '../merchants/change-merchant';
import { connectDevice } from '../devices/connect-device';
import { createMerchant } from '../merchants/create-merchant';
import { receiverAccounts } from '../db/tables';
import { disableDevice } from '../devices/disable-device';
import { issueApiKey } from '../api-keys/issue-api-key';
import { lockApiKey } from '../api-keys/lock-api-key';
import { removeSecondFactorAsOperator } from '../sign-in/remove-second-factor-as-operator';
import { resendDirectory, resendDirectoryToAll } from '../directory/resend-directory';
import { resetPassword } from '../sign-in/reset-password';
import { revokeApiKey } from '../api-keys/revoke-api-key';
import { sendNumberProof } from '../receivers/send-number-proof';
import { setReceiverAccountActive } from '../receivers/set-receiver-account-active';
import { unlockUser } from '../sign-in/unlock-user';
import { command, type Command, type ServiceCommand } from './command';
import { listCommands } from './list-commands';
import * as option from './options';
import { serviceCommands } from './service-commands';

const changes: Record<string, Command> = {
  'create-merchant': command({
    summary: 'Adds a merchant',
    options: z.object({
      name: option.name.describe('Name that customers see'),
      methods: option.methods
        .default([...paymentMethodSchema.options])
        .describe('Enabled payment methods, separated by commas'),
      'support-phone': option.support.phone,
      'support-email': option.support.email,
      website: option.support.website,
    }),
    run: (deps, tx, { name, methods, ...contact }) =>
      createMerchant(deps, tx, { name, enabledMethods: methods, support: supportOf(contact) }),
  }),
  'set-merchant': command({
    summary: 'Updates a merchant; the keys and devices of an inactive merchant are rejected',
    options: z.object({
      merchant: option.merchant,
      active: option.truth.optional().describe('false deactivates the merchant'),
      name: option.name.optional().describe('New name'),
      methods: option.methods.optional().describe('New list of enabled payment methods, separated by commas'),
      'support-phone': option.support.phone,
      'support-email': option.support.email,
      website: option.support.website,
    }),
    run: async (deps, tx, { merchant, active, name, methods, ...contact }) => {
      const change = {
        support: supportOf(contact),
        ...(active !== undefined && { isActive: active }),
        ...(name !== undefined && { name }),
        ...(methods && { enabledMethods: methods }),
      };
      const { id, version, isActive, enabledMethods } = await changeMerchant(deps, tx, {
        merchantId: merchant,
        change,
      });
      return { merchantId: id, version, isActive, enabledMethods };
    },
  }),
  'create-user': command({
    summary: 'Adds a user to a merchant and prints the password of a new account once',
    options: z.object({
      merchant: option.merchant,
      email: option.email,
      role: option.role,
      name: option.name.optional().describe('Name of the user (default: the e-mail address)'),
    }),
    run: (deps, tx, { merchant, email, role, name = email }) =>
      addMember(deps, tx, { merchantId: merchant, email, role, name }),
  }),
  'create-owner': command({
    summary: 'Adds a user with the role OWNER to a merchant and prints the password of a new account once',
    options: z.object({
      merchant: option.merchant,
      email: option.email,
      name: option.name.optional().describe('Name of the user (default: the e-mail address)'),
    }),
    run: (deps, tx, { merchant, email, name = email }) =>
      addMember(deps, tx, { merchantId: merchant, email, role: 'OWNER', name }),
  }),
  'unlock-user': command({
    summary: 'Unlocks a user after failed log-ins',
    options: z.object({ email: option.email }),
    run: (deps, tx, { email }) => unlockUser(deps, tx, { email }),
  }),
  'reset-password': command({
    summary: 'Gives a user a new password, prints it once, ends all sessions and mails the user',
    options: z.object({ email: option.email }),
    run: (deps, tx, { email }) => resetPassword(deps, tx, { email }),
  }),
  'disable-second-factor': command({
    summary: 'Disables the two-factor authentication of a user, ends all sessions and mails the user',
    options: z.object({ email: option.email }),
    run: (deps, tx, { email }) => removeSecondFactorAsOperator(deps, tx, { email }),
  }),
  'issue-api-key': command({
    summary: 'Creates an API key and prints it once',
    options: z.object({
      merchant: option.merchant,
      environment: option.environment,
      name: option.name.default('API key').describe('Name of the key'),
      scopes: option.scopes.default([...DEFAULT_API_KEY_SCOPES]).describe('Scopes of the key, separated by commas'),
      expires: instantOption.optional().describe('Expiry time of the key (default: no expiry)'),
    }),
    run: (deps, tx, { merchant, environment, name, scopes, expires }) =>
      issueApiKey(deps, tx, { tenant: { merchantId: merchant, environment }, name, scopes, expiresAt: expires }),
  }),
  'revoke-api-key': command({
    summary: 'Revokes an API key permanently',
    options: z.object({ key: option.apiKeyId }),
    run: async (deps, tx, { key }) => {
      const { id, version, revokedAt } = await revokeApiKey(deps, tx, { apiKeyId: key });
      return { apiKeyId: id, version, revokedAt };
    },
  }),
  'lock-api-key': command({
    summary: 'Locks or unlocks an API key',
    options: z.object({
      key: option.apiKeyId,
      locked: option.truth.default(true).describe('false unlocks the key'),
    }),
    run: async (deps, tx, { key, locked }) => {
      const { id, version, isLocked } = await lockApiKey(deps, tx, { apiKeyId: key, isLocked: locked });
      return { apiKeyId: id, version, isLocked };
    },
  }),
  'add-receiver-account': command({
    summary: 'Adds a receiver account',
    options: z.object({
      merchant: option.merchant,
      environment: option.environment,
      method: option.method,
      msisdn: option.msisdn,
      device: option.deviceId.optional().describe('Device that receives the SMS of this account'),
      sim: option.simSlot.optional().describe('SIM slot in that device (default: any slot)'),
    }),
    run: async (deps, tx, { merchant, environment, method, msisdn, device, sim }) => {
      const tenant = { merchantId: merchant, environment };
      const { receiverAccountId } = await addReceiverAccount(deps, tx, { tenant, paymentMethod: method, msisdn });
      if (device === undefined) return { receiverAccountId };
      const attach = { deviceId: device, simSlot: sim ?? null, receiverAccountIds: [receiverAccountId] };
      const { sims } = await attachReceivers(deps, tx, attach);
      return { receiverAccountId, deviceId: device, sims };
    },
  }),
  'set-receiver-account': command({
    summary: 'Activates or deactivates a receiver account',
    options: z.object({
      receiver: option.receiverId,
      active: option.truth.describe('false deactivates the receiver account'),
    }),
    run: async (deps, tx, { receiver, active }) => {
      const input = { receiverAccountId: receiver, isActive: active };
      const { id, version, isActive } = await setReceiverAccountActive(deps, tx, input);
      return { receiverAccountId: id, version, isActive };
    },
  }),
  'send-number-proof': command({
    summary: 'Prints the code that an operator sends to a wallet number to verify it',
    options: z.object({ proof: option.proofId }),
    run: (deps, tx, { proof }) => sendNumberProof(deps, tx, { proofId: proof }),
  }),
  'connect-device': command({
    summary: 'Adds a device and prints its key once',
    options: z.object({
      merchant: option.merchant,
      environment: option.environment,
      name: option.name.default('Phone').describe('Name of the device'),
      sim: option.sims
        .optional()
        .describe(
          'slot:receiver,receiver with slot 1 to 9 or any, once per SIM (default: all receiver accounts on any slot)',
        ),
    }),
    run: async (deps, tx, { merchant, environment, name, sim }) => {
      const values = [merchant, environment];
      const everything = async () =>
        (await receiverAccounts.listBy(tx, 'presentOfTenant', values)).map((account) => account.id);
      const sims = sim ?? [{ simSlot: null, receiverAccountIds: await everything() }];
      return connectDevice(deps, tx, { tenant: { merchantId: merchant, environment }, name, sims });
    },
  }),
  'disable-device': command({
    summary: 'Disables or enables a device',
    options: z.object({
      device: option.deviceId,
      disabled: option.truth.default(true).describe('false enables the device'),
    }),
    run: async (deps, tx, { device, disabled }) => {
      const { id, version, isDisabled } = await disableDevice(deps, tx, { deviceId: device, isDisabled: disabled });
      return { deviceId: id, version, isDisabled };
    },
  }),
  'resend-directory': command({
    summary: 'Sends all directory data again to one service or to all, to repair a copy',
    options: z.object({ service: option.copyingService }),
    run: (deps, tx, { service }) =>
      service === 'all'
        ? resendDirectoryToAll(deps, tx)
        : resendDirectory(deps, tx, { service, kinds: directoryKindSchema.options, requestId: deps.newId() }),
  }),
};

interface ContactOptions {
  readonly 'support-phone'?: string | undefined;
  readonly 'support-email'?: string | undefined;
  readonly website?: string | undefined;
}

/** Undefined if no option is given. */
function supportOf(options: ContactOptions): Partial<SupportContact> | undefined {
  const { 'support-phone': phone, 'support-email': email, website } = options;
  const given = {
    ...(phone !== undefined && { phone }),
    ...(email !== undefined && { email: email.toLowerCase() }),
    ...(website !== undefined && { website }),
  };
  return Object.keys(given).length === 0 ? undefined : given;
}

export const COMMANDS: Readonly<Record<string, Command>> = { ...changes, ...listCommands };

/** In the order of the help. */
export const ALL_COMMANDS: Readonly<Record<string, Command | ServiceCommand>> = { ...COMMANDS, ...serviceCommands };
