import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useWords } from '../text/language';

export function OfflineNotice() {
  const { online } = useNetwork();
  const { t } = useWords();
  if (online) return null;
  return (
    <Alert color="yellow" mb="md" role="status">
      {t.states.offline}
    </Alert>
  );
}
