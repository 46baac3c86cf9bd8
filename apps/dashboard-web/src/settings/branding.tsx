import { Button, Checkbox, FileButton, Group, Input, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { MerchantResponse } from '@pay/contracts';
import { useState } from 'react';
import { controlled, RequiredTextInput } from '../parts/form';
import { useChanges } from '../parts/use-changes';
import { CheckoutPreview } from './checkout-preview';
import { readLogo } from './read-logo';
import { SettingsForm } from './settings-form';
import { useSaveMerchant } from './use-save-merchant';
import { useSettingsWords } from './words';

const COLOUR = /^#[0-9a-f]{6}$/i;
/** The colour of a payment page without a colour of its merchant, as in `colours.ts` of checkout-api. */
const OWN_COLOUR = '#0b5d4e';

/** Name, logo and colour, with a preview of the payment page that follows the fields. */
export function Branding({ merchant }: { readonly merchant: MerchantResponse }) {
  const w = useSettingsWords();
  const request = useSaveMerchant();
  const { fields, change, save } = useChanges({
    name: merchant.name,
    colour: merchant.branding.colour ?? '',
    logo: merchant.branding.logo,
    requirePayerDigits: merchant.checkout.requirePayerDigits,
  });
  const { name, colour, logo } = fields;
  const [isTooLarge, setTooLarge] = useState(false);
  const isColour = colour === '' || COLOUR.test(colour);
  const choose = async (file: File | null) => {
    if (file === null) return;
    const read = await readLogo(file);
    setTooLarge(read === undefined);
    if (read !== undefined) change('logo')(read);
  };
  const submit = () => {
    if (!isColour) return undefined;
    return save((changed) =>
      request.mutateAsync({
        name: changed.name?.trim(),
        branding: { logo: changed.logo, colour: changed.colour === '' ? null : changed.colour },
        checkout: { requirePayerDigits: changed.requirePayerDigits },
      }),
    );
  };
  return (
    <SettingsForm title={w.branding} text={w.brandingText} save={request} onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack>
          <RequiredTextInput label={w.name} {...controlled(name, change('name'))} maxLength={120} />
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label={w.colour}
              description={w.colourHint}
              value={colour}
              onChange={(event) => change('colour')(event.currentTarget.value.trim())}
              error={isColour ? null : w.colourWrong}
              maxLength={7}
              flex={1}
            />
            <input
              type="color"
              aria-label={w.colourPick}
              value={isColour && colour !== '' ? colour : OWN_COLOUR}
              onChange={(event) => change('colour')(event.currentTarget.value)}
              className="colour-input"
            />
          </Group>
          <Input.Wrapper
            label={w.logo}
            labelElement="div"
            description={w.logoHint}
            error={isTooLarge ? w.logoTooLarge : null}
          >
            <Group gap="xs" mt="xs">
              <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)}>
                {(button) => (
                  <Button {...button} variant="default" size="sm">
                    {w.logoChoose}
                  </Button>
                )}
              </FileButton>
              {logo === null ? null : (
                <Button variant="default" size="sm" onClick={() => change('logo')(null)}>
                  {w.logoRemove}
                </Button>
              )}
            </Group>
          </Input.Wrapper>
          <Checkbox
            label={w.payerDigits}
            description={w.payerDigitsHint}
            checked={fields.requirePayerDigits}
            onChange={(event) => change('requirePayerDigits')(event.currentTarget.checked)}
          />
        </Stack>
        <CheckoutPreview name={name} colour={isColour && colour !== '' ? colour : OWN_COLOUR} logo={logo} />
      </SimpleGrid>
    </SettingsForm>
  );
}
