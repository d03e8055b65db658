console.log("a script");
