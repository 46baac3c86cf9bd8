import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../parts/dialog';
import { useWords } from '../text/language';
import { idleState } from './idle';
import { useSession } from './session-context';

const CHECK_MS = 5_000;
const ACTIVITY = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
/** Activity in one tab keeps the other tabs of the session logged in. */
const SHARED = 'dashboard.last-active';

/** Logs the user out after a time without activity, with a warning one minute before. */
export function IdleGuard() {
  const session = useSession();
  const { t } = useWords();
  const [isWarning, setWarning] = useState(false);
  const warned = useRef(false);

  useEffect(() => {
    const touch = () => localStorage.setItem(SHARED, String(Date.now()));
    const onActivity = () => {
      if (!warned.current) touch();
    };
    const check = () => {
      const state = idleState(Number(localStorage.getItem(SHARED) ?? Date.now()), Date.now());
      if (state === 'idle') void session.logOut('idle');
      warned.current = state === 'warning';
      setWarning(state === 'warning');
    };
    touch();
    const timer = setInterval(check, CHECK_MS);
    for (const name of ACTIVITY) window.addEventListener(name, onActivity, { passive: true });
    document.addEventListener('visibilitychange', check);
    return () => {
      clearInterval(timer);
      for (const name of ACTIVITY) window.removeEventListener(name, onActivity);
      document.removeEventListener('visibilitychange', check);
    };
  }, [session]);

  const stay = () => {
    localStorage.setItem(SHARED, String(Date.now()));
    warned.current = false;
    setWarning(false);
  };
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
