import { TextInput } from '@mantine/core';
import type { MerchantResponse } from '@pay/contracts';
import { controlled } from '../parts/form';
import { useChanges } from '../parts/use-changes';
import { latinDigits } from '../text/whole-number';
import { SettingsForm } from './settings-form';
import { useSaveMerchant } from './use-save-merchant';
import { useSettingsWords } from './words';

/** How customers reach the shop. */
export function SupportContact({ merchant: { support } }: { readonly merchant: MerchantResponse }) {
  const w = useSettingsWords();
  const request = useSaveMerchant();
  const { fields, change, save } = useChanges({
    phone: support.phone ?? '',
    email: support.email ?? '',
    website: support.website ?? '',
  });
  const orNull = (text: string | undefined) => (text?.trim() === '' ? null : text?.trim());
  return (
    <SettingsForm
      title={w.support}
      text={w.supportText}
      save={request}
      onSubmit={() =>
        save(({ phone, email, website }) =>
          request.mutateAsync({
            support: { phone: orNull(phone && latinDigits(phone)), email: orNull(email), website: orNull(website) },
          }),
        )
      }
    >
      <TextInput label={w.phone} type="tel" {...controlled(fields.phone, change('phone'))} maxLength={30} />
      <TextInput label={w.email} type="email" {...controlled(fields.email, change('email'))} maxLength={254} />
      <TextInput label={w.website} type="url" {...controlled(fields.website, change('website'))} maxLength={300} />
    </SettingsForm>
  );
}
