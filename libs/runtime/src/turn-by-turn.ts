import { destination, type DestinationStream } from 'pino';

/**
 * What gathers in memory before it is written, also in the middle of a turn. Less than what pino writes at once, so
 * that `flush` leaves nothing.
 */
const MOST_GATHERED_BYTES = 12 * 1024;

interface GatheringOutput extends DestinationStream {
  /** Writes what has gathered, before it returns. */
  flush(): void;
}

/**
 * Writes lines once in a turn of the event loop: a write costs as much as to make the line, and requests that share a
 * transaction write theirs together. Synchronous, so that a process that ends, also by an error that nobody caught,
 * swaps and loses nothing; one that is killed loses what it has said in that turn.
 */
export function turnByTurn(output: GatheringOutput = standardOutput()): DestinationStream {
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

function standardOutput(): GatheringOutput {
  return destination({ dest: 1, sync: true, minLength: MOST_GATHERED_BYTES });
}
