"use strict";
(() => {
  for (const command of document.querySelectorAll(".command")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      getSelection().selectAllChildren(command.querySelector("code"));
      const copied = document.execCommand("copy");
      button.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
      if (copied) getSelection().removeAllRanges();
    });
    command.append(button);
  }
})();
