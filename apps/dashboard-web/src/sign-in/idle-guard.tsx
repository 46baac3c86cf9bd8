import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../parts/dialog';
import { useWords } from '../text/language';
import { watchIdle, type IdleWatch } from '../session/idle-watch';
import { useSession } from '../session/session-context';

/** Logs the user out after a time without activity, with a warning one minute before. */
export function IdleGuard() {
  const session = useSession();
  const { t } = useWords();
  const [isWarning, setWarning] = useState(false);
  const watch = useRef<IdleWatch>(undefined);

  useEffect(() => {
    const current = watchIdle(session, { window, document }, setWarning);
    watch.current = current;
    return current.stop;
  }, [session]);

  const stay = () => watch.current?.stay();
  if (!isWarning) return null;
  return (
    <Dialog title={t.session.idleTitle} onClose={stay}>
      <Text>{t.session.idleText}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => void session.logOut()}>
          {t.session.logOut}
        </Button>
        <Button onClick={stay} data-autofocus>
          {t.session.stay}
        </Button>
      </Group>
    </Dialog>
  );
}
