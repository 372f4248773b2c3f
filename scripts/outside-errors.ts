/** The line about an error that no test caught. It names the file, because the runner gets output and results of tests in no stated order. */
export function outsideError(file: string, what: string): string {
  return `Outside of a test of ${file}: ${what}\n`;
}

/** The errors outside of tests in an output of a process, with the file that each counts for. */
export function errorsOutside(output: string): readonly { readonly file: string; readonly error: string }[] {
  return [...output.matchAll(/^Outside of a test of (\S+): (.*)$/gm)].map(([, file = '', error = '']) => ({
    file,
    error,
  }));
}
