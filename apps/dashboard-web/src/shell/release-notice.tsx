import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../text/language';
import { isAfterRelease } from './release';

/** Tells the user why the page was loaded again. */
export function ReleaseNotice() {
  const { t } = useWords();
  const [isShown, setShown] = useState(isAfterRelease);
  if (!isShown) return null;
  return (
    <Alert
      mb="md"
      role="status"
      withCloseButton
      closeButtonLabel={t.states.close}
      onClose={() => setShown(false)}
      data-testid="release"
    >
      {t.states.newVersion}
    </Alert>
  );
}
