import { Alert, Stack } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { PageHead } from '../parts/page-head';
import { Pending } from '../parts/page-states';
import { useMay, useOperation } from '../session/session-context';
import { AlertSettings } from './alert-settings';
import { EvidenceRules } from './evidence-rules';
import { Branding } from './branding';
import { SupportContact } from './support-contact';
import { useSettingsWords } from './words';

/** Name, branding, contact and rules of the merchant, and the alerts of the environment. */
export default function SettingsPage({ environment }: { readonly environment: Environment }) {
  const w = useSettingsWords();
  const may = useMay();
  const merchant = useOperation(['merchant'], 'getMerchant', {});
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle} />
      {may('changeMerchant') ? null : <Alert mb="md">{w.readOnly}</Alert>}
      {merchant.data === undefined ? (
        <Pending query={merchant} />
      ) : (
        <Stack>
          <Branding merchant={merchant.data} />
          <SupportContact merchant={merchant.data} />
          <EvidenceRules merchant={merchant.data} />
          <AlertSettings key={environment} environment={environment} />
        </Stack>
      )}
    </>
  );
}
