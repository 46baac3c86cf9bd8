import { destination, type DestinationStream } from 'pino';

/**
 * Maximum size of the buffer; a larger one is written in the middle of a turn. Smaller than pino's own write size, so
 * that `flush` leaves nothing.
 */
const MOST_GATHERED_BYTES = 12 * 1024;

interface GatheringOutput extends DestinationStream {
  flush(): void;
}

/**
 * Writes buffered lines once per turn of the event loop, because a write costs as much as formatting a line. Writes are
 * synchronous, so a process that exits or crashes loses no line; only SIGKILL loses those of the current turn.
 */
export function turnByTurn(output: GatheringOutput): DestinationStream {
  let isDue = false;
  const write = () => {
    isDue = false;
    output.flush();
  };
  process.on('exit', write);
  return {
    write(line) {
      output.write(line);
      if (isDue) return;
      isDue = true;
      setImmediate(write);
    },
  };
}

let standardOutput: DestinationStream | undefined;

/** Shared by all loggers of the process, because every output adds an exit listener. */
export function linesToStandardOutput(): DestinationStream {
  standardOutput ??= turnByTurn(destination({ dest: 1, sync: true, minLength: MOST_GATHERED_BYTES }));
  return standardOutput;
}
