/** Draws again and again while something is being done. */

/** Turns it on or off. */
export function createSpinner(draw: () => void): (isOn: boolean) => void {
  let timer: NodeJS.Timeout | undefined;
  return (isOn) => {
    if (isOn) timer ??= setInterval(draw, pace);
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const pace = 120;
