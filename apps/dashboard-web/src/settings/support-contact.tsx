import { TextInput } from '@mantine/core';
import type { MerchantResponse } from '@pay/contracts';
import { useState } from 'react';
import { controlled } from '../parts/form';
import { latinDigits } from '../text/whole-number';
import { SettingsForm } from './settings-form';
import { useSaveMerchant } from './use-save-merchant';
import { useSettingsWords } from './words';

/** How customers reach the shop. */
export function SupportContact({ merchant: { support } }: { readonly merchant: MerchantResponse }) {
  const w = useSettingsWords();
  const save = useSaveMerchant();
  const [phone, setPhone] = useState(support.phone ?? '');
  const [email, setEmail] = useState(support.email ?? '');
  const [website, setWebsite] = useState(support.website ?? '');
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return (
    <SettingsForm
      title={w.support}
      text={w.supportText}
      save={save}
      onSubmit={() =>
        save.mutateAsync({
          support: { phone: orNull(latinDigits(phone)), email: orNull(email), website: orNull(website) },
        })
      }
    >
      <TextInput label={w.phone} type="tel" {...controlled(phone, setPhone)} maxLength={30} />
      <TextInput label={w.email} type="email" {...controlled(email, setEmail)} maxLength={254} />
      <TextInput label={w.website} type="url" {...controlled(website, setWebsite)} maxLength={300} />
    </SettingsForm>
  );
}
