const { appendFileSync } = require('node:fs');

/** Records running spec files in PROGRESS_FILE, because a run that hangs writes no results. */
class ProgressReporter {
  #file = process.env.PROGRESS_FILE;

  onTestFileStart({ path }) {
    this.#record('+', path);
  }

  onTestFileResult({ path }) {
    this.#record('-', path);
  }

  #record(sign, path) {
    if (this.#file !== undefined) appendFileSync(this.#file, `${sign}${path}\n`);
  }
}

module.exports = ProgressReporter;
