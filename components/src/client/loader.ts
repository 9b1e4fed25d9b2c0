/** Inlined in every page: the few lines that the platform leaves to scripts, a file for each concern. */

import { settleClouds } from "./clouds.ts";
import { wakeIslands } from "./islands.ts";
import { closeMenu } from "./menu.ts";
import { openQuestions } from "./questions.ts";
import { noteScroll } from "./scroll.ts";

for (const begin of [noteScroll, openQuestions, closeMenu, wakeIslands, settleClouds]) {
  // What fails leaves the rest alone.
  try {
    begin();
  } catch (error) {
    reportError(error);
  }
}
